package dev.fairlead.examples;

// @start region="server"
import dev.fairlead.http.Http;
import dev.fairlead.json.Doc;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;

class Hello {
    record Person(@Doc("Whom to greet") String name) {}

    static McpServer.Builder server() {
        return McpServer.named("hello", "1.0.0")
                .tool("greet", "Greets a person by name", Person.class, String.class)
                .handle((person, call) -> "Hello, " + person.name() + "!");
    }

    public static void main(String[] args) {
        if (args.length == 0) server().build().serve(Stdio.streams());
        else server().build().serve(Http.port(3001)); // http://127.0.0.1:3001/mcp
    }
}
// @end
