-- How many clusters have had a licence of a contract is asked for each contract with a quota of clusters.
create index licence_of_contract on licence (contract_id, cluster_uid);
