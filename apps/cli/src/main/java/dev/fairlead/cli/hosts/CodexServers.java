package dev.fairlead.cli.hosts;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import java.util.Map;

/** The servers of Codex, whose references to environment variables are members of their own. */
final class CodexServers {
    private CodexServers() {}

    /** Returns the servers with the references in the values, as other hosts have them. */
    static JsonObject asOthersWrite(JsonObject servers) {
        JsonObject converted = JsonObject.EMPTY;
        for (Map.Entry<String, JsonValue> server : servers.members().entrySet()) {
            converted =
                    converted.with(
                            server.getKey(),
                            server.getValue() instanceof JsonObject definition
                                    ? converted(definition)
                                    : server.getValue());
        }
        return converted;
    }

    private static JsonObject converted(JsonObject definition) {
        JsonObject env = object(definition, "env");
        if (definition.get("env_vars") instanceof JsonArray names) {
            for (JsonValue element : names.elements()) {
                JsonValue name =
                        element instanceof JsonObject variable ? variable.get("name") : element;
                if (name instanceof JsonString text) {
                    env = env.with(text.value(), "${" + text.value() + "}");
                }
            }
        }
        JsonObject headers = object(definition, "http_headers");
        for (Map.Entry<String, JsonValue> header :
                object(definition, "env_http_headers").members().entrySet()) {
            if (header.getValue() instanceof JsonString variable) {
                headers = headers.with(header.getKey(), "${" + variable.value() + "}");
            }
        }
        if (definition.get("bearer_token_env_var") instanceof JsonString variable) {
            headers = headers.with("Authorization", "Bearer ${" + variable.value() + "}");
        }
        JsonObject converted =
                definition
                        .without("env_vars")
                        .without("http_headers")
                        .without("env_http_headers")
                        .without("bearer_token_env_var");
        converted = env.isEmpty() ? converted : converted.with("env", env);
        return headers.isEmpty() ? converted : converted.with("headers", headers);
    }

    private static JsonObject object(JsonObject definition, String member) {
        return definition.get(member) instanceof JsonObject object ? object : JsonObject.EMPTY;
    }
}
