-- Room in each page for the next version of a row: status messages and progress, which no index
-- has, then change it in place.
${postgres}alter table mcp_task set (fillfactor = 70);
