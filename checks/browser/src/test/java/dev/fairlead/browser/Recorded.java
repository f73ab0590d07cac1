package dev.fairlead.browser;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Schemas in the resources of the tests, as a server lists them. */
final class Recorded {
    private Recorded() {}

    /** Returns the schemas of a file, by their names. */
    static Map<String, JsonObject> schemas(String file) throws IOException {
        Map<String, JsonObject> schemas = new LinkedHashMap<>();
        try (InputStream in = Recorded.class.getResourceAsStream(file)) {
            String text =
                    new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            for (JsonValue tool : ((JsonObject) JsonValue.parse(text)).array("tools")) {
                JsonObject one = (JsonObject) tool;
                schemas.put(one.string("name"), one.object("inputSchema"));
            }
        }
        return schemas;
    }
}
