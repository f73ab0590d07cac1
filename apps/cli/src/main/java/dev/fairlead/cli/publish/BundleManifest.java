package dev.fairlead.cli.publish;

import dev.fairlead.cli.servers.TargetException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.tools.Tool;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The manifest of a bundle for hosts, {@code .mcpb}, whose program is a Java runtime with one jar.
 *
 * @param author the name of its publisher
 * @param description of the server; null takes its own
 * @param platform {@code linux}, {@code darwin} or {@code win32}
 * @param arguments of the program behind the jar
 * @param environment the variables that the person who installs it is asked for
 * @spec https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md Manifest, version 0.2
 */
record BundleManifest(
        String author,
        @Nullable String description,
        String platform,
        List<String> arguments,
        List<String> environment) {
    /** The runtime and the jar in the bundle. */
    static final String RUNTIME = "runtime";

    static final String JAR = "server.jar";

    /**
     * Returns the manifest.
     *
     * @throws TargetException if the server has no description, or a member breaks a rule
     */
    JsonObject json(PublishedServer server) {
        String text = description == null ? server.description() : description;
        if (text == null) {
            throw new TargetException("the server has no description; give --description TEXT");
        }
        JsonObject json =
                JsonObject.of(
                        "manifest_version",
                        "0.2",
                        "name",
                        server.info().name(),
                        "display_name",
                        server.info().displayName(),
                        "version",
                        server.info().version(),
                        "description",
                        text,
                        "author",
                        JsonObject.of("name", author),
                        "server",
                        program(),
                        "tools",
                        server.tools().stream().map(BundleManifest::tool).toList(),
                        "compatibility",
                        JsonObject.of("platforms", List.of(platform)));
        json = server.prompts() ? json.with("prompts_generated", true) : json;
        return Rules.MANIFEST.check(
                environment.isEmpty() ? json : json.with("user_config", questions()));
    }

    private static JsonObject tool(Tool tool) {
        JsonObject json = JsonObject.of("name", tool.name());
        return tool.description() == null ? json : json.with("description", tool.description());
    }

    private JsonObject program() {
        String java = RUNTIME + "/bin/java" + (platform.equals("win32") ? ".exe" : "");
        List<String> words = new ArrayList<>(List.of("-jar", "${__dirname}/" + JAR));
        words.addAll(arguments);
        JsonObject config = JsonObject.of("command", "${__dirname}/" + java, "args", words);
        JsonObject variables = JsonObject.EMPTY;
        for (String name : environment) {
            variables = variables.with(name, "${user_config." + key(name) + "}");
        }
        return JsonObject.of(
                "type",
                "binary",
                "entry_point",
                java,
                "mcp_config",
                variables.isEmpty() ? config : config.with("env", variables));
    }

    private JsonObject questions() {
        JsonObject questions = JsonObject.EMPTY;
        for (String name : environment) {
            questions =
                    questions.with(
                            key(name),
                            JsonObject.of(
                                    "type",
                                    "string",
                                    "title",
                                    name,
                                    "description",
                                    "The environment variable " + name + " of the server",
                                    "required",
                                    true,
                                    "sensitive",
                                    true));
        }
        return questions;
    }

    private static String key(String variable) {
        return variable.toLowerCase(Locale.ROOT);
    }
}
