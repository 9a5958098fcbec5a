"use client";

export { ErrorPage as default } from "@/components/surface/error-page";
