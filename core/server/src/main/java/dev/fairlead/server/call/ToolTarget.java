package dev.fairlead.server.call;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonReader;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;

import org.jspecify.annotations.Nullable;

/**
 * What {@code tools/call} names, read without binding the arguments, which the tool binds itself.
 *
 * @param arguments an object
 * @param asksForTask whether {@code task} is there, whatever it holds; null is as if it were not
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
                    case "name" ->
                            name = once(name, member, reader, JsonReader.Kind.STRING).string();
                    case "arguments" -> {
                        if (reader.kind() == JsonReader.Kind.NULL) {
                            reader.skip();
                        } else {
                            arguments =
                                    once(arguments, member, reader, JsonReader.Kind.OBJECT).raw();
                        }
                    }
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

    private static JsonReader once(
            @Nullable Object before, String member, JsonReader reader, JsonReader.Kind expected) {
        if (before != null) {
            throw JsonRpcException.invalidParams("Invalid params: " + member + " is there twice");
        }
        if (reader.kind() != expected) {
            throw JsonRpcException.invalidParams(
                    "Invalid params: "
                            + member
                            + " must be "
                            + expected.phrase()
                            + " but was "
                            + reader.kind().phrase());
        }
        return reader;
    }
}
