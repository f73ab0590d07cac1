package dev.fairlead.examples;

// @start region="teahouse"
import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.Range;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

/** A server that asks: the person which tea they want, and their model for a haiku. */
class Teahouse {
    enum Kind {
        green,
        black
    }

    record Tea(@Doc("Kind of tea") Kind kind, @Range(min = 0, max = 3) @Default("0") int sugar) {}

    static McpServer.Builder server() {
        return McpServer.named("teahouse", "1.0.0")
                .tool("haiku", "Asks the model for a haiku", NoInput.class, String.class)
                .handle((none, call) -> call.sample("Write a haiku about tea", 100).text())
                .tool("order_tea", "Asks which tea", NoInput.class, Tea.class)
                .handle((none, call) -> call.elicit("Which tea?", Tea.class).orElseThrow());
    }

    public static void main(String[] args) {
        server().build().serve(Place.of(args));
    }
}
// @end
