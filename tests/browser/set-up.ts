import "@/app/globals.css";

document.title = "Component test";
document.documentElement.lang = "en";
