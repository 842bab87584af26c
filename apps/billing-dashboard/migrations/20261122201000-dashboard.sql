-- For the dashboard (open-points 8): what happened to an object lately, and which licences report from a cluster.
create index object_version_by_object on object_version (object_id, at);
create index product_contact_of_cluster on product_contact (cluster_uid);
