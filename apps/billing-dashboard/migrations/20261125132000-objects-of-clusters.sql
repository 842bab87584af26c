-- The administrative organization finds an object by its cluster and UID alone, without the owner that the unique
-- index begins with.
create index metered_object_of_cluster on metered_object (cluster_uid, object_uid);
