-- A write that readiness asks for (ADR 0230). All replicas of a service together write once in ten seconds.
create table tested_write (
  written_at timestamptz not null
);

create function test_write() returns void language plpgsql as $$
begin
  -- Another replica may have written to another server than this one.
  if current_setting('transaction_read_only')::boolean then
    raise read_only_sql_transaction using message = 'the server is read-only';
  end if;
  if exists (select from tested_write where written_at > clock_timestamp() - interval '10 s') then
    return;
  end if;
  -- Begins a new file. An update would find room within the page of the row, also on a full disk.
  truncate tested_write;
  insert into tested_write values (clock_timestamp());
end
$$;
