import { useUrl } from "../frame/location";
import { useDev } from "../connection/dev-context";
import { CustomerConfiguration } from "./customer-configuration";
import { CustomerList } from "./customer-list";

/** Made-up customers side by side, and the configuration of one of them. */
export function CustomersArea() {
  const customers = useDev("customers");
  const asked = useUrl().searchParams.get("customer");
  const customer = customers.find(({ id }) => id === asked) ?? customers[0];
  return (
    <div className="grid gap-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <CustomerList customers={customers} current={customer?.id} />
      {customer !== undefined && <CustomerConfiguration key={customer.id} customer={customer} />}
    </div>
  );
}
