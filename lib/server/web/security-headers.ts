export interface PageSecurity {
  nonce: string;
  development: boolean;
  https: boolean;
}

/** Headers of every page: scripts and styles carry the request's nonce, nothing comes from elsewhere, nobody frames us. */
export function securityHeaders({ nonce, development, https }: PageSecurity): Record<string, string> {
  const policy = [
    "default-src 'self'",
    // React's development build evaluates strings for its stack traces.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    `style-src-elem 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    // React Aria positions popovers and drags through style attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${development ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  const headers = {
    "content-security-policy": policy.join("; "),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  };
  return https ? { ...headers, "strict-transport-security": "max-age=31536000; includeSubDomains" } : headers;
}
