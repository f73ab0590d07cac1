package dev.fairlead.cli.hosts;

import dev.fairlead.cli.servers.TargetException;
import dev.fairlead.json.JsonObject;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server that a user adds to a host, and its definition in the form of that host. The values of
 * environment variables and headers may contain references <code>${NAME}</code> to environment
 * variables of the host, so that its file contains no secret.
 */
public sealed interface NewServer {
    /**
     * The definition as the host reads it.
     *
     * @throws TargetException if the host cannot reach such a server, or has no form for one of its
     *     references
     */
    JsonObject definition(Host host);

    /**
     * A server that the host starts.
     *
     * @param command the program and its arguments
     * @param environment the variables that it gets beside those that the host passes
     */
    record Program(List<String> command, Map<String, String> environment) implements NewServer {
        /** Keeps copies. */
        public Program {
            command = List.copyOf(command);
            environment = copy(environment);
        }

        @Override
        public JsonObject definition(Host host) {
            JsonObject definition =
                    host == Host.VSCODE ? JsonObject.of("type", "stdio") : JsonObject.EMPTY;
            definition =
                    definition
                            .with("command", command.getFirst())
                            .with("args", command.subList(1, command.size()));
            return host == Host.CODEX
                    ? withCodexEnvironment(definition)
                    : withEnvironment(host, definition);
        }

        private JsonObject withEnvironment(Host host, JsonObject definition) {
            return environment.isEmpty()
                    ? definition
                    : definition.with("env", written(host, environment));
        }

        /** Codex passes on variables by their names, and replaces nothing in values. */
        private JsonObject withCodexEnvironment(JsonObject definition) {
            List<String> passed = new ArrayList<>();
            Map<String, String> set = new LinkedHashMap<>();
            environment.forEach(
                    (name, value) -> {
                        if (value.equals("${" + name + "}")) {
                            passed.add(name);
                        } else {
                            set.put(name, withoutReference(Host.CODEX, name, value));
                        }
                    });
            return withTexts(withTexts(definition, "env_vars", passed), "env", set);
        }
    }

    /**
     * A server behind a URL.
     *
     * @param headers are sent with each request
     */
    record Endpoint(String url, Map<String, String> headers) implements NewServer {
        private static final Pattern BEARER = Pattern.compile("Bearer \\$\\{([^}]+)}");

        /** Keeps a copy. */
        public Endpoint {
            headers = copy(headers);
        }

        @Override
        public JsonObject definition(Host host) {
            return switch (host) {
                case CLAUDE_DESKTOP ->
                        throw new TargetException(
                                "claude-desktop takes only commands from its file; add a URL that"
                                        + " the internet reaches under Settings, Connectors");
                case CLAUDE_CODE, VSCODE ->
                        withHeaders(host, JsonObject.of("type", "http", "url", url));
                case CURSOR -> withHeaders(host, JsonObject.of("url", url));
                case GEMINI_CLI -> withHeaders(host, JsonObject.of("httpUrl", url));
                case CODEX -> codex();
            };
        }

        private JsonObject withHeaders(Host host, JsonObject definition) {
            return headers.isEmpty()
                    ? definition
                    : definition.with("headers", written(host, headers));
        }

        private JsonObject codex() {
            JsonObject definition = JsonObject.of("url", url);
            Map<String, String> set = new LinkedHashMap<>();
            Map<String, String> referenced = new LinkedHashMap<>();
            for (Map.Entry<String, String> header : headers.entrySet()) {
                String name = header.getKey();
                String value = header.getValue();
                Matcher bearer = BEARER.matcher(value);
                Matcher whole = REFERENCE.matcher(value);
                if (name.equalsIgnoreCase("Authorization") && bearer.matches()) {
                    definition = definition.with("bearer_token_env_var", bearer.group(1));
                } else if (whole.matches()) {
                    referenced.put(name, whole.group(1));
                } else {
                    set.put(name, withoutReference(Host.CODEX, name, value));
                }
            }
            return withTexts(
                    withTexts(definition, "http_headers", set), "env_http_headers", referenced);
        }
    }

    /** A reference to an environment variable, as a user writes it for every host. */
    Pattern REFERENCE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");

    private static JsonObject withTexts(JsonObject definition, String name, List<String> texts) {
        return texts.isEmpty() ? definition : definition.with(name, texts);
    }

    private static JsonObject withTexts(
            JsonObject definition, String name, Map<String, String> texts) {
        return texts.isEmpty() ? definition : definition.with(name, texts);
    }

    private static Map<String, String> copy(Map<String, String> texts) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(texts));
    }

    /** The values with references as the host writes them. */
    private static Map<String, String> written(Host host, Map<String, String> values) {
        Map<String, String> written = new LinkedHashMap<>();
        values.forEach(
                (name, value) ->
                        written.put(
                                name,
                                switch (host) {
                                    case CLAUDE_CODE, GEMINI_CLI -> value;
                                    case VSCODE, CURSOR ->
                                            REFERENCE.matcher(value).replaceAll("\\${env:$1}");
                                    case CLAUDE_DESKTOP, CODEX ->
                                            withoutReference(host, name, value);
                                }));
        return written;
    }

    private static String withoutReference(Host host, String name, String value) {
        if (!REFERENCE.matcher(value).find()) {
            return value;
        }
        throw new TargetException(
                host == Host.CODEX
                        ? "codex replaces no part of a value: for "
                                + name
                                + " write --env NAME, --header 'NAME=${VARIABLE}' or --header"
                                + " 'Authorization=Bearer ${VARIABLE}'"
                        : host
                                + " passes no environment variables on: write --env "
                                + name
                                + "=VALUE, which its file then contains for everybody who can read"
                                + " it");
    }
}
