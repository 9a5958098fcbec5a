export const TEMPLATE_NAMES = ["node", "python", "java", "go"] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

export const TEMPLATES: Record<TemplateName, { title: string; hint: string }> = {
  node: { title: "Node", hint: "Node 20 or newer" },
  python: { title: "Python", hint: "Python 3.10 or newer" },
  java: { title: "Java", hint: "JDK 17 or newer" },
  go: { title: "Go", hint: "Go 1.22 or newer" },
};
