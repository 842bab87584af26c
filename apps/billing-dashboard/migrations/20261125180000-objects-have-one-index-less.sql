-- Each event of an object moves its row, and so changes every index of the table. The owners of a cluster are found in
-- product_contact, so objects need no index of clusters.
drop index metered_object_of_cluster;
