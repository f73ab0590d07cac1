-- A server process that serves streams has a row for as long as it lives; the others remove rows
-- whose lease has expired. Since steady its heartbeats have come without a gap.
create table mcp_server (
    id text primary key,
    steady bigint not null,
    beat bigint not null
);

-- The only server that may add events; null where any may.
alter table mcp_stream add column server text;
