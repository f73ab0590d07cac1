// A call in the form of other programs.

const quoted = text => "'" + text.replace(/'/g, `'\\''`) + "'";
const word = text => (/^[\w./:@%+=,-]+$/.test(text) ? text : quoted(text));

/** Functions from a request to a text, by name. */
export function copies(target, server) {
  const all = {fairlead: request => fairlead(request, target)};
  if (target.url) {
    all.curl = request => curl(request, target.url, server?.revision);
    all.Java = request => java(request, target.url);
  }
  return all;
}

function fairlead({method, params}, {words}) {
  const to = words.map(word).join(' ');
  const args = params.arguments && Object.keys(params.arguments).length ? ` --args ${quoted(JSON.stringify(params.arguments))}` : '';
  switch (method) {
    case 'tools/call': return `fairlead tools call ${word(params.name)}${args} ${to}`;
    case 'prompts/get': return `fairlead prompts get ${word(params.name)}${args} ${to}`;
    default: return `fairlead resources read ${word(params.uri)} ${to}`;
  }
}

function curl({method, params}, url, revision) {
  const post = (body, ...headers) => ['curl -sS ' + word(url), "-H 'Content-Type: application/json'",
    "-H 'Accept: application/json, text/event-stream'", ...headers, `-d ${quoted(JSON.stringify(body))}`].join(' \\\n  ');
  const client = {name: 'curl', version: '1'};
  if (revision >= '2026-07-28') {
    const meta = {'io.modelcontextprotocol/protocolVersion': revision, 'io.modelcontextprotocol/clientInfo': client, 'io.modelcontextprotocol/clientCapabilities': {}};
    const name = params.name ?? params.uri;
    return post({jsonrpc: '2.0', id: 1, method, params: {...params, _meta: meta}}, `-H 'MCP-Protocol-Version: ${revision}'`, `-H 'Mcp-Method: ${method}'`, `-H ${quoted('Mcp-Name: ' + name)}`);
  }
  const hello = {jsonrpc: '2.0', id: 1, method: 'initialize', params: {protocolVersion: revision, capabilities: {}, clientInfo: client}};
  return `SESSION=$(${post(hello, '-o /dev/null -D -')} |\n  tr -d '\\r' | sed -n 's/^mcp-session-id: *//Ip')\n`
    + post({jsonrpc: '2.0', id: 2, method, params}, `-H "MCP-Session-Id: $SESSION"`, `-H 'MCP-Protocol-Version: ${revision}'`);
}

function java({method, params}, url) {
  const string = text => JSON.stringify(text);
  const args = JSON.stringify(params.arguments ?? {}, null, 2).replace(/\\/g, '\\\\').replace(/"""/g, '\\"""').split('\n').map(line => '        ' + line).join('\n');
  const call = method === 'tools/call' ? `CallToolResult result = client.callTool(${string(params.name)}, (JsonObject) JsonValue.parse("""\n${args}\n        """));`
    : method === 'prompts/get' ? `GetPromptResult result = client.getPrompt(${string(params.name)}, Map.of(${Object.entries(params.arguments).flat().map(string).join(', ')}));`
    : `ReadResourceResult result = client.readResource(${string(params.uri)});`;
  return `try (McpClient client = McpClient.connect(Http.to(${string(url)}))) {\n    ${call}\n    System.out.println(result);\n}`;
}
