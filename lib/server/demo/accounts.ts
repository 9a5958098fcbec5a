/** Who can sign in to the demo. */
export const DEMO_PASSWORD = "launch-the-demo";

export interface DemoPerson {
  email: string;
  person: string;
  /** What the account is for, in words for the visitor. */
  who: string;
}

/** The owner of an organization. */
export interface DemoAccount extends DemoPerson {
  slug: string;
  name: string;
}

export const PUBLISHER: DemoAccount = {
  email: "publisher@demo.example",
  person: "Pia Publisher",
  slug: "acme",
  name: "Acme Apps",
  who: "Acme Apps, who publish the three apps",
};

export const HARBOR: DemoAccount = {
  email: "harbor@demo.example",
  person: "Hanna Harbor",
  slug: "harbor-mutual",
  name: "Harbor Mutual",
  who: "Harbor Mutual, a customer (start here)",
};

export const ALPINE: DemoAccount = {
  email: "alpine@demo.example",
  person: "Andri Alpine",
  slug: "alpine-insurance",
  name: "Alpine Insurance",
  who: "Alpine Insurance, another customer",
};

export const MODERATOR: DemoPerson = {
  email: "moderator@demo.example",
  person: "Mo Moderator",
  who: "the platform's moderation team",
};

export const DEMO_PEOPLE: readonly DemoPerson[] = [HARBOR, ALPINE, PUBLISHER, MODERATOR];
