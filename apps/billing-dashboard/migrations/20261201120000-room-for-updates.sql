-- Each event updates its objects. With room in the page, an update that changes no indexed column needs no new entries
-- in the indexes.
alter table metered_object set (fillfactor = 70);
alter table reported_object set (fillfactor = 80);
