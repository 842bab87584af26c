/** Lists: their order, the part a request asks for, and reading it from PostgreSQL. */
export { byId, type ListOrder, orderBy, type OrderKey } from './order.ts';
export { listPicks, type Page, type PageLimits, pageOf, type PageRequest } from './page.ts';
export { type List, type Listed, readPage } from './read-page.ts';
