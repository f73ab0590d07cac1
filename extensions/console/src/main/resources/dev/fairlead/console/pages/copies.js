// A call in the form of other programs.

const quoted = text => "'" + text.replace(/'/g, `'\\''`) + "'";
const word = text => (/^[\w./:@%+=,-]+$/.test(text) ? text : quoted(text));

/** Functions from a request, and its result if there is one, to a text, by name. */
export function copies(target, server) {
  const all = {fairlead: request => fairlead(request, target)};
  if (target.url) {
    all.curl = request => curl(request, target.url, server?.revision);
    all.Java = request => java(request, target.url);
    all.JUnit = (request, result) => junit(request, target.url, result);
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

const string = text => JSON.stringify(text);

/** A text block of Java. */
function block(text, indent) {
  const lines = text.replace(/\\/g, '\\\\').replace(/"""/g, '\\"""').split('\n').map(line => (indent + line).replace(/ $/, '\\s'));
  return `"""\n${lines.join('\n')}"""`;
}

function statement({method, params}, indent) {
  switch (method) {
    case 'tools/call': return `CallToolResult result = client.callTool(${string(params.name)}, (JsonObject) JsonValue.parse(${block(JSON.stringify(params.arguments ?? {}, null, 2), indent + '        ')}));`;
    case 'prompts/get': return `GetPromptResult result = client.getPrompt(${string(params.name)}, Map.of(${Object.entries(params.arguments).flat().map(string).join(', ')}));`;
    default: return `ReadResourceResult result = client.readResource(${string(params.uri)});`;
  }
}

function java(request, url) {
  return `try (McpClient client = McpClient.connect(Http.to(${string(url)}))) {\n    ${statement(request, '    ')}\n    System.out.println(result);\n}`;
}

/** A test that expects the result that the page shows. */
function junit(request, url, result) {
  const name = String(request.params.name ?? 'resource').replace(/[^A-Za-z0-9]+(.)?/g, (_, c) => (c ?? '').toUpperCase());
  const text = (result?.content ?? result?.contents ?? []).map(part => part.text).filter(t => t !== undefined).join('\n');
  const checks = !result ? ['assertThat(result).isNotNull();']
    : request.method === 'tools/call'
      ? [`assertThat(result.isError()).is${result.isError ? 'True' : 'False'}();`, `assertThat(result.text()).isEqualTo(${block(text, '                ')});`]
      : request.method === 'resources/read' ? [`assertThat(result.text()).isEqualTo(${block(text, '                ')});`]
        : ['assertThat(result.messages()).isNotEmpty();'];
  return `@Test\nvoid ${name}() throws Exception {\n    try (McpClient client = McpClient.connect(Http.to(${string(url)}))) {\n        ${statement(request, '        ')}\n        ${checks.join('\n        ')}\n    }\n}`;
}
