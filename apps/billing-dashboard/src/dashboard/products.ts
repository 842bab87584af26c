import { notFound } from '@platform/faults';
import { orderBy } from '@platform/lists';
import type { DashboardLicenseServiceService, ReceivedProduct } from '@platform/proto/billing/v1/dashboard_license';
import { type Fragment, sql } from '@platform/postgres';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import {
  isUnder, licenceFrom, licenceIsKnown, type LicencePlace, pageFrom, productFrom, readKnown, showTimes, type Timed,
} from './place.ts';
import { windowStart } from './window.ts';

type ProductRow = Timed<Omit<ReceivedProduct, 'userId' | 'clusterId' | 'licenseId'>>;

const byName = orderBy({ column: 'productName', kind: 'text' });

function productsOf(place: LicencePlace, which: Fragment): Fragment {
  return sql`
    select account.slug as "userName", account.kind as "userType", account.email,
           product_name collate "C" as "productName", first_received_at as "firstReceivedAt",
           last_received_at as "lastReceivedAt"
      from product_contact join account on account.id = product_contact.owner_id and not account.deleted
     where ${isUnder(place)} and ${which}`;
}

/** GET /dashboard/users/{uid}/clusters/{cid}/licenses/{lid}/products (spec §4.6). */
export function listReceivedProducts(
  { config, database }: Parts,
): Handler<typeof DashboardLicenseServiceService.listReceivedProducts> {
  return async ({ limit, ...request }, { deadline }) => {
    const [page, since, place] = [pageFrom(request, config), windowStart(limit), licenceFrom(request)];
    const list = { rows: productsOf(place, sql`last_received_at >= ${since}`), order: byName };
    const { items, total, next } = await readKnown<ProductRow>(database, licenceIsKnown(place), list, page, deadline);
    return { products: items.map((row) => showProduct(row, place)), total, next };
  };
}

/** GET …/products/{productName}. Also shows a product whose last event is outside the window (open-points 13.5). */
export function getReceivedProduct(
  { database }: Parts,
): Handler<typeof DashboardLicenseServiceService.getReceivedProduct> {
  return async ({ limit, ...request }, { deadline }) => {
    windowStart(limit);
    const place = productFrom(request);
    const row = await database.maybeOne(
      sql<ProductRow>`${productsOf(place, sql`product_name = ${place.productName}`)}`, { deadline },
    );
    if (row === undefined) throw notFound();
    return showProduct(row, place);
  };
}

function showProduct(row: ProductRow, { ownerId, clusterUid, licenceId }: LicencePlace): ReceivedProduct {
  return { ...showTimes(row), userId: ownerId, clusterId: clusterUid, licenseId: licenceId };
}
