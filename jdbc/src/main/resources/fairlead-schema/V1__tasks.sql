create table mcp_node (
    id ${identity},
    name text not null,
    beat bigint not null,
    died bigint
);
