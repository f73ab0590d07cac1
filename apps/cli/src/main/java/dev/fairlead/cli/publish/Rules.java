package dev.fairlead.cli.publish;

import dev.fairlead.cli.servers.TargetException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonViolation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** The rules that a published document has to keep. */
enum Rules {
    SERVER_JSON("server.json"),
    MANIFEST("manifest.json");

    private final String document;

    Rules(String document) {
        this.document = document;
    }

    /**
     * Returns the document, which keeps the rules.
     *
     * @throws TargetException if it does not; the message has each violation
     */
    JsonObject check(JsonObject json) {
        List<JsonViolation> violations = schema().validate(json);
        if (violations.isEmpty()) {
            return json;
        }
        throw new TargetException(
                document
                        + " would not be accepted: "
                        + violations.stream()
                                .map(JsonViolation::toString)
                                .collect(Collectors.joining("; ")));
    }

    private JsonSchema schema() {
        String name = document.replace(".json", ".schema.json");
        try (InputStream in = Rules.class.getResourceAsStream(name)) {
            return JsonSchema.parse(
                    new String(
                            Objects.requireNonNull(in, name).readAllBytes(),
                            StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
