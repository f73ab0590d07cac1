package dev.fairlead.protocol.content;

import dev.fairlead.json.JsonInline;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;

import java.util.Objects;

/**
 * Content of a type that this library does not know, kept as it came.
 *
 * @param json the whole block
 */
@JsonInline
public record UnknownContent(JsonObject json) implements Content, SamplingContent {
    public UnknownContent {
        Objects.requireNonNull(json, "json");
    }

    /** Returns the type of the block; empty for none. */
    public String type() {
        return json.get("type") instanceof JsonString type ? type.value() : "";
    }
}
