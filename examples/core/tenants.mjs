// The policy data of the demo's two insurers.

const text = { type: "string" };
const object = (properties, required) => ({ type: "object", properties, ...(required ? { required } : {}) });

const personalAuto = {
  name: "Personal Auto",
  schema: object({
    vehicle: object(
      {
        vin: { ...text, title: "VIN" },
        make: text,
        modelYear: { type: "integer" },
        annualKilometres: { type: "integer" },
      },
      ["vin"],
    ),
    driver: object({ name: text, birthDate: { ...text, format: "date" } }),
  }),
  sample: {
    vehicle: { vin: "1HGCM82633A004352", make: "Honda", modelYear: 2003, annualKilometres: 14000 },
    driver: { name: "Maya Lindqvist", birthDate: "1988-02-29" },
  },
};

const privateMotor = {
  name: "Private Motor",
  schema: object({
    car: object({
      chassisNumber: text,
      brand: text,
      year: { type: "integer" },
      yearlyDistance: { type: "integer" },
    }),
    canton: text,
  }),
  sample: {
    car: { chassisNumber: "WVWZZZ1KZAW123456", brand: "Volkswagen", year: 2010, yearlyDistance: 9000 },
    canton: "GR",
  },
};

const motorcycle = {
  name: "Motorcycle",
  schema: object({
    motorcycle: object({
      chassisNumber: text,
      brand: text,
      year: { type: "integer" },
      yearlyDistance: { type: "integer" },
    }),
  }),
  sample: {
    motorcycle: { chassisNumber: "WB10D1200YZ123456", brand: "BMW", year: 2001, yearlyDistance: 4000 },
  },
};

export const DEMO_TENANTS = {
  "harbor-mutual.core.example": {
    organization: "harbor-mutual",
    products: [personalAuto],
    policies: {
      "POL-1001": {
        productName: "Personal Auto",
        policyHolder: { name: "Maya Lindqvist" },
        data: { vehicle: { vin: "1HGCM82633A004352", annualKilometres: 14000 } },
      },
      "POL-1002": {
        productName: "Personal Auto",
        policyHolder: { name: "Oscar Bennett" },
        data: { vehicle: { vin: "5YJ3E1EA2KF317000", annualKilometres: 22000 } },
      },
    },
  },
  "alpine-insurance.core.example": {
    organization: "alpine-insurance",
    products: [privateMotor, motorcycle],
    policies: {
      "POL-1001": {
        productName: "Private Motor",
        policyHolder: { name: "Reto Ambühl" },
        data: { car: { chassisNumber: "WVWZZZ1KZAW123456", yearlyDistance: 9000 }, canton: "GR" },
      },
      "POL-2001": {
        productName: "Motorcycle",
        policyHolder: { name: "Lea Caviezel" },
        data: { motorcycle: { chassisNumber: "WB10D1200YZ123456", yearlyDistance: 4000 } },
      },
    },
  },
};
