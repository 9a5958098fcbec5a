import { useMutation } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { TextField } from "@/components/ui/text-fields";
import { callApi } from "@/lib/client/api";
import { useConnection } from "../connection/dev-context";
import { openUrl, withParameters } from "../frame/location";

export function NewCustomer() {
  const [name, setName] = useState<string>();
  const isLive = useConnection() === "live";
  const add = useMutation({
    mutationFn: (wanted: string) =>
      callApi("POST", "/api/dev/customers", {
        body: { name: wanted },
        answer: async () => (await import("@/cli/dev/contract/customers")).devCustomer,
      }),
    onSuccess: ({ id }) => {
      setName(undefined);
      openUrl(withParameters({ area: "customers", customer: id }));
    },
  });
  if (name === undefined)
    return (
      <Button size="small" onPress={() => setName("")} isDisabled={!isLive}>
        <Plus aria-hidden className="size-4" />
        Add customer
      </Button>
    );
  return (
    <form
      noValidate
      className="flex flex-col gap-3 rounded-card border border-line bg-surface p-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!add.isPending) add.mutate(name);
      }}
    >
      <TextField
        label="Name"
        isRequired
        autoFocus
        autoComplete="off"
        placeholder="Lakeside Insurance"
        value={name}
        onChange={setName}
        maxLength={60}
      />
      <ProblemNotice error={add.error} />
      <div className="flex gap-2">
        <Button type="submit" size="small" tone="primary" isPending={add.isPending}>
          Add
        </Button>
        <Button size="small" tone="quiet" onPress={() => setName(undefined)} isDisabled={add.isPending}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
