import { Button } from "@/components/ui/button";

interface ConfirmMappingProps {
  productName: string;
  /** A path of it is changed, which says of the others that they are right. */
  isChanged: boolean;
  isConfirmed: boolean;
  onConfirm: (isRight: boolean) => void;
}

/** For a product whose schema changed: how to say that its mapping is right all the same. */
export function ConfirmMapping({ productName, isChanged, isConfirmed, onConfirm }: ConfirmMappingProps) {
  if (isChanged)
    return <p className="text-[13px] leading-5 text-ink-soft">Saving says that the other paths are right.</p>;
  if (!isConfirmed)
    return (
      <Button
        size="small"
        onPress={() => onConfirm(true)}
        aria-label={`It is right as it is: the mapping of ${productName}`}
      >
        It is right as it is
      </Button>
    );
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 text-[13px] leading-5 text-ink-soft">
      <span className="min-w-0">Saving says that it is right as it is.</span>
      <Button size="tiny" tone="quiet" className="-my-1" onPress={() => onConfirm(false)}>
        Undo
      </Button>
    </p>
  );
}
