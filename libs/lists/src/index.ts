/** Lists: their order, the requested page, and reading the page from PostgreSQL or from memory. */
export { byId, type ListOrder, orderBy, type OrderKey } from './order.ts';
export { listPicks, type Page, type PageLimits, pageOf, type PageRequest } from './page.ts';
export { partOf } from './part-of.ts';
export { type List, type Listed, readPage } from './read-page.ts';
