/** What a publisher declares about data, as insurers compare it. */
import { Card } from "@/components/ui/card";
import { UserText } from "@/components/ui/values";
import {
  mailTo,
  parseHttpsUrl,
  parseMailAddress,
  type PrivacyDeclaration,
} from "@/lib/contract/catalog/listing";
import { describePrivacy } from "@/lib/domain/catalog/privacy";

export function PrivacyCard({ declared }: { declared: PrivacyDeclaration | null | undefined }) {
  return (
    <Card title="Privacy">
      {declared === null || declared === undefined ? (
        <p className="text-sm leading-6 text-ink-soft">
          The publisher has not declared what data the app accesses, where it is stored, and who else gets it.
          Ask the publisher before you launch it.
        </p>
      ) : (
        <>
          <p className="mb-3 text-small leading-5 text-ink-faint">
            The publisher declares this. Moderators read it; the platform doesn&apos;t verify it.
          </p>
          <table className="w-full table-fixed text-sm leading-6">
            <caption className="sr-only">Privacy declaration of the publisher</caption>
            <tbody className="divide-y divide-line">
              {describePrivacy(declared).map(({ title, lines }) => (
                <tr key={title}>
                  <th scope="row" className="w-2/5 py-2 pr-4 text-left align-top font-normal text-ink-soft">
                    {title}
                  </th>
                  <td className="py-2 align-top wrap-anywhere text-ink">
                    <ul className="flex flex-col gap-1">
                      {lines.map((line, index) => (
                        <li key={index}>
                          <Line>{line}</Line>
                        </li>
                      ))}
                    </ul>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </Card>
  );
}

/** The contact is an address that readers can follow. */
function Line({ children: line }: { children: string }) {
  const url = parseHttpsUrl(line);
  const style = "text-accent-text underline decoration-accent-text/40 underline-offset-2";
  if (url !== undefined)
    return (
      <a href={url.href} rel="noopener noreferrer nofollow ugc" target="_blank" className={style}>
        <span translate="no">{url.hostname}</span>
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
    );
  const address = parseMailAddress(line);
  if (address !== undefined)
    return (
      <a href={mailTo(address)} translate="no" className={style}>
        {address}
      </a>
    );
  return <UserText>{line}</UserText>;
}
