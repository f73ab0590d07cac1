-- The address at which other nodes reach a node; null where it has none. A node that is draining
-- takes no more sessions.
alter table mcp_node add column address text;

alter table mcp_node add column draining boolean not null default false;

-- The node that owns a session, or null where none does. restored rises with each change of the
-- owner.
alter table mcp_session add column node bigint;

create index mcp_session_node on mcp_session (node) where node is not null;

-- The only node that may add events. server and mcp_server are for nodes of an older version.
alter table mcp_stream add column node bigint;
