/** Inline styles are what every email reader applies. The style sheet adds the dark theme where a reader supports it. */
const FONT =
  "font-family:Geist,-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

export const STYLES = {
  page: `margin:0;padding:0;background:#f6f7f9;color:#14171c;${FONT};-webkit-text-size-adjust:100%`,
  column: "max-width:560px;margin:0 auto;padding:32px 16px",
  brand: "margin:0 0 16px;font-size:14px;line-height:20px;font-weight:600;color:#5f6672",
  card: "padding:24px;background:#ffffff;border:1px solid #e4e6ea;border-radius:12px;overflow-wrap:anywhere",
  heading: "margin:0;font-size:20px;line-height:28px;font-weight:600;color:#14171c",
  paragraph: "margin:12px 0 0;font-size:15px;line-height:24px;color:#454b56",
  actions: "margin:24px 0 0",
  button:
    "display:inline-block;padding:12px 20px;border-radius:8px;background:#3353d4;color:#ffffff;font-size:15px;line-height:20px;font-weight:600;text-decoration:none",
  footer: "margin:16px 0 0;font-size:13px;line-height:20px;color:#5f6672;overflow-wrap:anywhere",
  quiet: "color:#5f6672;text-decoration:underline",
} as const;

export const MAIL_STYLE = [
  ":root{color-scheme:light dark;supported-color-schemes:light dark}",
  "@media (prefers-color-scheme:dark){",
  ".page{background:#0c0e11!important;color:#eff1f4!important}",
  ".card{background:#131619!important;border-color:#272c33!important}",
  ".strong{color:#eff1f4!important}",
  ".ink{color:#bcc3cd!important}",
  ".faint,.quiet{color:#969eaa!important}",
  ".button{background:#4463e4!important;color:#ffffff!important}",
  "}",
].join("");

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
