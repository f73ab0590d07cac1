package dev.fairlead.server.call;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonReader;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;

import org.jspecify.annotations.Nullable;

/**
 * The tool that {@code tools/call} names, read without binding the arguments, which the tool binds
 * itself.
 *
 * @param arguments an object
 * @param asksForTask whether {@code task} is present, with any value but null
 */
public record ToolTarget(String name, RawJson arguments, boolean asksForTask) {
    public static ToolTarget read(@Nullable RawJson params) {
        if (params == null) {
            throw JsonRpcException.invalidParams("Invalid params: name is missing");
        }
        String name = null;
        RawJson arguments = null;
        boolean asksForTask = false;
        try (JsonReader reader = params.reader()) {
            reader.beginObject();
            for (String member = reader.nextName(); member != null; member = reader.nextName()) {
                switch (member) {
                    case "name" -> {
                        requireKind(reader.kind(), member, JsonReader.Kind.STRING);
                        name = once(name, member, reader.string());
                    }
                    case "arguments" -> arguments = once(arguments, member, arguments(reader));
                    case "task" -> {
                        asksForTask |= reader.kind() != JsonReader.Kind.NULL;
                        reader.skip();
                    }
                    default -> reader.skip();
                }
            }
        } catch (JsonException e) {
            throw JsonRpcException.invalidParams("Invalid params: " + e.getMessage());
        }
        if (name == null) {
            throw JsonRpcException.invalidParams("Invalid params: name is missing");
        }
        return new ToolTarget(
                name, arguments == null ? RawJson.EMPTY_OBJECT : arguments, asksForTask);
    }

    /** Null counts too: a state of the request is bound to the first arguments. */
    private static RawJson arguments(JsonReader reader) {
        JsonReader.Kind kind = reader.kind();
        if (kind == JsonReader.Kind.ARRAY && reader.skipsEmptyArray()) {
            return RawJson.EMPTY_OBJECT;
        }
        if (kind == JsonReader.Kind.NULL) {
            reader.skip();
            return RawJson.EMPTY_OBJECT;
        }
        requireKind(kind, "arguments", JsonReader.Kind.OBJECT);
        return reader.raw();
    }

    private static <T> T once(@Nullable T before, String member, T value) {
        if (before != null) {
            throw JsonRpcException.invalidParams("Invalid params: " + member + " is there twice");
        }
        return value;
    }

    private static void requireKind(JsonReader.Kind kind, String member, JsonReader.Kind expected) {
        if (kind != expected) {
            throw JsonRpcException.invalidParams(
                    "Invalid params: "
                            + member
                            + " must be "
                            + expected.phrase()
                            + " but was "
                            + kind.phrase());
        }
    }
}
