"use client";

export { LazyErrorPage as default } from "@/components/surface/lazy-error-page";
