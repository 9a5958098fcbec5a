/** For tests: a certificate for an IP address, which is its own CA. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

interface Certificate {
  key: string;
  cert: string;
}

export function createCertificate(address: string): Certificate {
  const folder = mkdtempSync(path.join(tmpdir(), "platform-certificate-"));
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const files = ["-keyout", "key", "-out", "cert", "-days", "2", "-subj", `/CN=core at ${address}`];
  const names = ["-addext", `subjectAltName=IP:${address}`];
  execFileSync("openssl", ["req", "-x509", ...curve, ...files, ...names], { cwd: folder, stdio: "ignore" });
  const read = (name: string) => readFileSync(path.join(folder, name), "utf8");
  const certificate = { key: read("key"), cert: read("cert") };
  rmSync(folder, { recursive: true });
  return certificate;
}
