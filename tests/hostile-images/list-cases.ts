import { listAcceptedCases } from "./accepted-cases";
import type { HostileCase } from "./case";
import { listDocumentCases } from "./document-cases";
import { listManifestCases } from "./manifest-cases";
import { listPathCases } from "./path-cases";
import { listStreamCases } from "./stream-cases";

export function listCases(seed: number): HostileCase[] {
  return [
    ...listPathCases(),
    ...listDocumentCases(),
    ...listStreamCases(seed),
    ...listManifestCases(),
    ...listAcceptedCases(),
  ];
}
