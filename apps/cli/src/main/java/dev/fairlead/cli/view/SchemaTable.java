package dev.fairlead.cli.view;

import dev.fairlead.cli.view.Table.Column;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Printable;

import java.util.ArrayList;
import java.util.List;

/** The members of an object that a JSON Schema describes, a row each: name, type, description. */
final class SchemaTable {
    private static final int MAX_DEPTH = 4; // schemas may nest in circles
    private static final int MAX_ROWS = 200;

    private final JsonObject root;
    private final int depth;
    private final SchemaType types;
    private final SchemaReferences references;
    private final Table table =
            Table.withoutHeadings(
                    Column.of("", Style.CYAN),
                    Column.wrapping("", Style.DIM),
                    Column.wrapping("", Style.PLAIN));
    private int rows;

    private SchemaTable(JsonObject root, int depth) {
        this.root = root;
        this.depth = depth;
        types = new SchemaType(root);
        references = new SchemaReferences(root);
    }

    /** The members alone. */
    static Table flat(JsonObject schema) {
        return new SchemaTable(schema, 1).filled();
    }

    /** The members and those within them, under names such as {@code travellers[0].name}. */
    static Table nested(JsonObject schema) {
        return new SchemaTable(schema, MAX_DEPTH).filled();
    }

    private Table filled() {
        add("", root, depth);
        return table;
    }

    private void add(String path, JsonObject object, int left) {
        for (ToolArgument member : ToolArgument.of(object, references)) {
            if (rows++ == MAX_ROWS) {
                table.row("…", "", "");
            }
            if (rows > MAX_ROWS) {
                return;
            }
            String name = path + member.name();
            table.row(Printable.line(name), facts(member), Printable.line(member.description()));
            addWithin(name, member.schema(), left - 1);
        }
    }

    private void addWithin(String name, JsonObject schema, int left) {
        if (left == 0) {
            return;
        }
        JsonValue items = schema.get("items");
        if (items != null) {
            add(name + "[0].", references.resolve(items), left);
        }
        add(name + ".", schema, left);
    }

    private String facts(ToolArgument member) {
        List<String> facts = new ArrayList<>();
        String type = types.of(member.schema());
        if (!type.isEmpty()) {
            facts.add(type);
        }
        if (member.required()) {
            facts.add("required");
        }
        JsonValue value = member.schema().get("default");
        if (value != null) {
            facts.add("default " + Printable.line(SchemaType.word(value)));
        }
        return String.join(", ", facts);
    }
}
