"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { UserProse } from "@/components/ui/fact-list";
import { FormTextArea, lazyResolver } from "@/components/ui/forms/form-fields";
import { LinkButton, TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/values";
import { callApi } from "@/lib/client/api";
import type { ReportInput } from "@/lib/contract/moderation/review";

interface ReportFormProps {
  listingId: string;
  title: string;
  /** The listing's page. */
  listingPath: string;
  /** The token of its link, if the listing is shown by link. */
  link?: string;
}

/** Tells the moderators of a problem with a listing. */
export function ReportForm({ listingId, title, listingPath, link }: ReportFormProps) {
  const { control, handleSubmit } = useForm<ReportInput>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/moderation/review")).reportInput),
    defaultValues: { text: "", ...(link === undefined ? {} : { link }) },
  });
  const report = useMutation({
    mutationFn: (body: ReportInput) => callApi("POST", `/api/listings/${listingId}/reports`, { body }),
  });
  if (report.isSuccess)
    return (
      <Notice tone="success" title="The moderators have your report">
        They will look at the listing and decide what to do. The publisher won&apos;t learn who reported it.{" "}
        <TextLink href={listingPath}>Back to {title}</TextLink>
      </Notice>
    );
  return (
    <Card>
      <form
        noValidate
        className="flex max-w-xl flex-col gap-4"
        onSubmit={(event) => void handleSubmit((values) => report.mutate(values))(event)}
      >
        <FormTextArea
          control={control}
          name="text"
          label="What is wrong?"
          isRequired
          hint="At least 10 characters. For example, what the listing says and what the app does. Don't include personal data or secrets."
        />
        <ProblemNotice error={report.error} />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" tone="primary" isPending={report.isPending}>
            Send report
          </Button>
          <LinkButton href={listingPath}>Cancel</LinkButton>
        </div>
      </form>
    </Card>
  );
}

interface ReportListProps {
  reports: {
    id: string;
    text: string;
    createdAt: Date;
    closedAt: Date | null;
    reporter: string;
    listingId: string;
    title: string;
    organizationName: string;
  }[];
}

/** What people reported, in their own words. */
export function ReportList({ reports }: ReportListProps) {
  const router = useRouter();
  const close = useMutation({
    mutationFn: (id: string) => callApi("DELETE", `/api/listing-reports/${id}`),
    onSettled: () => router.refresh(),
  });
  return (
    <div className="flex flex-col gap-3">
      <ProblemNotice error={close.error} />
      <Card flush>
        <ul aria-label="Reports" className="divide-y divide-line">
          {reports.map((report) => (
            <li
              key={report.id}
              className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-6"
            >
              <div className="min-w-0 flex-1 basis-72">
                <p>
                  <TextLink
                    href={`/moderation/listings/${report.listingId}`}
                    standalone
                    className="font-medium"
                  >
                    {report.title}
                  </TextLink>{" "}
                  <span className="text-small text-ink-faint">
                    by <UserText>{report.organizationName}</UserText>
                  </span>
                </p>
                <UserProse label={`Report about ${report.title}`} className="mt-1 max-w-prose text-ink-soft">
                  {report.text}
                </UserProse>
                <p className="mt-1 text-small text-ink-faint">
                  <UserText>{report.reporter}</UserText>, <RelativeTime at={report.createdAt} />
                  {report.closedAt !== null && (
                    <>
                      {" "}
                      · handled <RelativeTime at={report.closedAt} />
                    </>
                  )}
                </p>
              </div>
              {report.closedAt === null && (
                <Button
                  size="small"
                  aria-label={`Mark the report about ${report.title} as handled`}
                  isPending={close.isPending && close.variables === report.id}
                  onPress={() => close.mutate(report.id)}
                >
                  Mark as handled
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}
