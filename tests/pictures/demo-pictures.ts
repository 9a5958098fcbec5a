/** What the pictures of the demo's apps show. All names and numbers are made up. */
import {
  Archive,
  BellRing,
  Camera,
  Car,
  Gauge,
  History,
  Inbox,
  MapPinCheck,
  Receipt,
  ShieldCheck,
  Truck,
  Waves,
  Webhook,
  type LucideIcon,
} from "lucide-react";

export type Screen = { title: string; note: string } & (
  | { fields: readonly (readonly [label: string, value: string, source?: string])[] }
  | { columns: readonly string[]; rows: readonly (readonly string[])[] }
  | { bars: readonly (readonly [label: string, value: number])[] }
  | { message: readonly string[] }
);

export interface AppPictures {
  icon: LucideIcon;
  /** Of the icon's background, in degrees. */
  hue: number;
  screens: readonly Screen[];
}

export const DEMO_PICTURES: Record<string, AppPictures> = {
  "vin-autofill": {
    icon: Car,
    hue: 228,
    screens: [
      {
        title: "Vehicle",
        note: "2 fields filled in from the VIN",
        fields: [
          ["VIN", "1HGCM82633A004352"],
          ["Make", "Honda", "from the VIN"],
          ["Model year", "2003", "from the VIN"],
          ["Kilometers per year", "14,000"],
        ],
      },
      {
        title: "Vehicles by make",
        note: "1,284 this week",
        bars: [
          ["Toyota", 312],
          ["Honda", 268],
          ["Ford", 241],
          ["Volkswagen", 187],
          ["Chevrolet", 152],
          ["Tesla", 124],
        ],
      },
    ],
  },
  "policy-webhook": {
    icon: Webhook,
    hue: 262,
    screens: [
      {
        title: "Messages",
        note: "Signed with your key",
        columns: ["Time", "Event", "Policy", "Channel"],
        rows: [
          ["10:42", "policy.issued", "POL-20418", "Underwriting"],
          ["10:39", "policy.issued", "POL-20417", "Underwriting"],
          ["10:31", "policy.cancelled", "POL-18820", "Claims"],
          ["10:24", "policy.issued", "POL-20416", "Underwriting"],
          ["10:18", "policy.issued", "POL-20415", "Underwriting"],
        ],
      },
    ],
  },
  "telematics-rater": {
    icon: Gauge,
    hue: 16,
    screens: [
      {
        title: "What would you pay?",
        note: "By kilometers per year",
        bars: [
          ["5,000 km", 448],
          ["10,000 km", 552],
          ["15,000 km", 664],
          ["20,000 km", 782],
          ["30,000 km", 968],
        ],
      },
      {
        title: "Prices",
        note: "Private Motor, this week",
        columns: ["Policy", "Kilometers", "Factor", "Price"],
        rows: [
          ["Q-88214", "9,000", "0.92", "CHF 479"],
          ["Q-88213", "22,000", "0.92", "CHF 696"],
          ["Q-88209", "4,500", "0.92", "CHF 405"],
          ["Q-88204", "15,000", "0.92", "CHF 579"],
          ["Q-88199", "12,000", "0.92", "CHF 529"],
        ],
      },
    ],
  },
  "renewal-reminders": {
    icon: BellRing,
    hue: 38,
    screens: [
      {
        title: "Your policy renews on March 1",
        note: "From Harbor Mutual",
        message: [
          "Hello Maya,",
          "Your Personal Auto policy renews in 30 days. Nothing changes unless you want it to.",
          "Did you move, or do you drive less? Tell us, and we check your price.",
        ],
      },
    ],
  },
  "flood-zones": {
    icon: Waves,
    hue: 196,
    screens: [
      {
        title: "Location",
        note: "3 fields filled in",
        fields: [
          ["Address", "Strandgaten 18, Bergen"],
          ["Flood zone", "AE, 1% a year", "river authority"],
          ["Elevation", "3.4 m", "national survey"],
          ["Distance to water", "62 m", "national survey"],
        ],
      },
      {
        title: "Exposure by zone",
        note: "Sums insured in millions",
        bars: [
          ["Minimal", 412],
          ["Moderate", 188],
          ["1% a year", 96],
          ["Coastal", 41],
        ],
      },
    ],
  },
  "address-check": {
    icon: MapPinCheck,
    hue: 152,
    screens: [
      {
        title: "Address",
        note: "Checked against the official register",
        fields: [
          ["Street", "Hauptstraße 12", "was: Haupstr. 12"],
          ["Postal code", "7000"],
          ["City", "Chur", "was: Cuhr"],
          ["Location", "46.8499, 9.5329", "added"],
        ],
      },
    ],
  },
  "loss-history": {
    icon: History,
    hue: 286,
    screens: [
      {
        title: "Claims of the last five years",
        note: "Score 82 of 100",
        columns: ["Year", "Line", "Cause", "Paid"],
        rows: [
          ["2026", "Motor", "Windshield", "$420"],
          ["2024", "Motor", "Parking", "$1,860"],
          ["2023", "Property", "Water", "$3,240"],
        ],
      },
    ],
  },
  "sanctions-screening": {
    icon: ShieldCheck,
    hue: 348,
    screens: [
      {
        title: "Matches to decide",
        note: "3 of 18,204 screened today",
        columns: ["Name", "List", "Match", "Why"],
        rows: [
          ["J. Petrov", "EU", "88%", "Name and year of birth"],
          ["Al Noor Trading", "OFAC", "91%", "Name and city"],
          ["M. Castillo", "UN", "86%", "Name"],
        ],
      },
      {
        title: "Screenings of a month",
        note: "In thousands a week",
        bars: [
          ["Week 1", 121],
          ["Week 2", 127],
          ["Week 3", 119],
          ["Week 4", 134],
        ],
      },
    ],
  },
  "claims-intake": {
    icon: Inbox,
    hue: 176,
    screens: [
      {
        title: "New claims",
        note: "Sorted by urgency",
        columns: ["Claim", "Loss", "Urgency", "Desk"],
        rows: [
          ["CLM-7731", "Water, burst pipe", "Today", "Property"],
          ["CLM-7729", "Collision, injury", "Today", "Motor"],
          ["CLM-7733", "Theft, bicycle", "This week", "Contents"],
          ["CLM-7730", "Hail", "This week", "Motor"],
          ["CLM-7728", "Windshield", "Later", "Motor"],
        ],
      },
    ],
  },
  "document-archive": {
    icon: Archive,
    hue: 210,
    screens: [
      {
        title: "POL-20418",
        note: "4 documents, all unchanged",
        columns: ["Document", "Filed", "Kept until", "Seal"],
        rows: [
          ["Policy", "Nov 3, 2026", "2037", "Verified"],
          ["Terms", "Nov 3, 2026", "2037", "Verified"],
          ["Invoice", "Nov 4, 2026", "2037", "Verified"],
          ["Endorsement 1", "Nov 18, 2026", "2037", "Verified"],
        ],
      },
    ],
  },
  "premium-invoicing": {
    icon: Receipt,
    hue: 128,
    screens: [
      {
        title: "Installments of POL-20418",
        note: "2 of 4 paid",
        columns: ["Due", "Amount", "State", "Paid by"],
        rows: [
          ["Sep 1", "$203.13", "Paid", "Card"],
          ["Dec 1", "$203.13", "Paid", "Card"],
          ["Mar 1", "$203.12", "Open", ""],
          ["Jun 1", "$203.12", "Open", ""],
        ],
      },
      {
        title: "Premiums",
        note: "In thousands of dollars",
        bars: [
          ["Paid", 842],
          ["Open", 214],
          ["Reminded", 38],
          ["Late", 11],
        ],
      },
    ],
  },
  "fleet-rater": {
    icon: Truck,
    hue: 52,
    screens: [
      {
        title: "Fleet of 48 vehicles",
        note: "$41,280 a year",
        columns: ["Vehicle", "Use", "Drivers", "Price"],
        rows: [
          ["Vans, electric (22)", "City", "No losses", "$16,940"],
          ["Vans, diesel (14)", "Region", "1 loss", "$13,020"],
          ["Trucks (6)", "Region", "No losses", "$8,460"],
          ["Cars (6)", "Mixed", "1 loss", "$2,860"],
        ],
      },
    ],
  },
  "photo-estimates": {
    icon: Camera,
    hue: 320,
    screens: [
      {
        title: "Estimate for CLM-7730",
        note: "$1,964, within 8 percent",
        columns: ["Part", "Work", "Hours", "Cost"],
        rows: [
          ["Hood", "Repair, paint", "3.5", "$612"],
          ["Front bumper", "Replace", "1.2", "$748"],
          ["Headlight, left", "Replace", "0.6", "$604"],
        ],
      },
    ],
  },
};
