package dev.fairlead.cli.hosts;

import dev.fairlead.cli.servers.Environment;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A program with a model that starts servers, or connects to them, as its file says. Places and
 * forms are those at the end of 2026.
 */
public enum Host {
    CLAUDE_CODE(
            "claude-code",
            "Claude Code",
            "mcpServers",
            "Start a new session; /mcp lists the servers.") {
        @Override
        Path userFile(Platform platform, Environment environment) {
            return named(environment, "CLAUDE_CONFIG_DIR")
                    .orElse(platform.home(environment))
                    .resolve(".claude.json");
        }

        @Override
        String projectFile() {
            return ".mcp.json";
        }

        @Override
        List<Path> switches(Platform platform, Environment environment) {
            Path folder =
                    named(environment, "CLAUDE_CONFIG_DIR")
                            .orElse(platform.home(environment).resolve(".claude"));
            return List.of(
                    userFile(platform, environment),
                    folder.resolve("settings.json"),
                    Path.of(".claude/settings.json"),
                    Path.of(".claude/settings.local.json"));
        }
    },
    CLAUDE_DESKTOP(
            "claude-desktop",
            "Claude Desktop",
            "mcpServers",
            "Quit Claude Desktop and start it again; closing its window is not enough.") {
        @Override
        Path userFile(Platform platform, Environment environment) {
            return platform.settings(environment).resolve("Claude/claude_desktop_config.json");
        }
    },
    VSCODE("vscode", "VS Code", "servers", "Run MCP: List Servers, choose it, and start it.") {
        @Override
        Path userFile(Platform platform, Environment environment) {
            return platform.settings(environment).resolve("Code/User/mcp.json");
        }

        @Override
        String projectFile() {
            return ".vscode/mcp.json";
        }
    },
    CURSOR("cursor", "Cursor", "mcpServers", "Switch the server on in Customize, MCPs.") {
        @Override
        Path userFile(Platform platform, Environment environment) {
            return platform.home(environment).resolve(".cursor/mcp.json");
        }

        @Override
        String projectFile() {
            return ".cursor/mcp.json";
        }
    },
    CODEX("codex", "Codex", "mcp_servers", "Start a new session; /mcp lists the servers.") {
        @Override
        Path userFile(Platform platform, Environment environment) {
            return named(environment, "CODEX_HOME")
                    .orElse(platform.home(environment).resolve(".codex"))
                    .resolve("config.toml");
        }

        @Override
        String projectFile() {
            return ".codex/config.toml";
        }

        @Override
        List<Path> switches(Platform platform, Environment environment) {
            return List.of(Path.of(projectFile())); // it is merged into that of the user
        }
    },
    GEMINI_CLI(
            "gemini-cli", "Gemini CLI", "mcpServers", "Start it again; /mcp lists the servers.") {
        @Override
        Path userFile(Platform platform, Environment environment) {
            return platform.home(environment).resolve(".gemini/settings.json");
        }

        @Override
        String projectFile() {
            return ".gemini/settings.json";
        }

        @Override
        List<Path> switches(Platform platform, Environment environment) {
            Path file = userFile(platform, environment);
            return List.of(
                    file, Path.of(projectFile()), file.resolveSibling(HostFile.GEMINI_SWITCHES));
        }
    };

    private final String word;
    private final String title;
    private final String container;
    private final String next;

    Host(String word, String title, String container, String next) {
        this.word = word;
        this.title = title;
        this.container = container;
        this.next = next;
    }

    /** Returns the host that a user names; empty if there is none of this name. */
    public static Optional<Host> of(String word) {
        return Stream.of(values()).filter(host -> host.word.equals(word)).findFirst();
    }

    /** The name that a user types. */
    public String word() {
        return word;
    }

    /** The name of the program. */
    public String title() {
        return title;
    }

    /** The step after which the host has read its file. */
    public String next() {
        return next;
    }

    /** The member of the file that contains the servers. */
    String container() {
        return container;
    }

    /** The file for all projects of the user. */
    abstract Path userFile(Platform platform, Environment environment);

    /** The file for one project, from its folder on; null where the host has none. */
    @Nullable String projectFile() {
        return null;
    }

    /** The files that may disable servers which another file of this host defines. */
    List<Path> switches(Platform platform, Environment environment) {
        return List.of();
    }

    private static Optional<Path> named(Environment environment, String variable) {
        return Optional.of(environment.variables().getOrDefault(variable, ""))
                .filter(value -> !value.isEmpty())
                .map(Path::of);
    }

    @Override
    public String toString() {
        return word;
    }
}
