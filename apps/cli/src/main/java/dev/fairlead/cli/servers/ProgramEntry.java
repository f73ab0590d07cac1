package dev.fairlead.cli.servers;

import dev.fairlead.json.JsonValue;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.stdio.StdioCommand;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A server that is started as a child process. */
final class ProgramEntry implements ServerEntry {
    private final Definition definition;
    private final List<String> command;
    private final Map<String, String> environment;
    private final boolean inheritsEnvironment;
    private final String directory;

    ProgramEntry(Definition definition) {
        this.definition = definition;
        command = definition.command();
        environment = definition.textsByName("env");
        for (String name : environment.keySet()) {
            if (name.isEmpty() || name.contains("=") || name.indexOf('\0') >= 0) {
                throw definition.wrong("env." + name + " is not a valid variable name");
            }
        }
        inheritsEnvironment = definition.flag("inheritEnv");
        String cwd = definition.optionalText("cwd");
        directory = cwd == null ? "" : cwd;
    }

    @Override
    public String name() {
        return definition.server();
    }

    @Override
    public Transport transport() {
        return Transport.STDIO;
    }

    @Override
    public String summary() {
        return Secrets.hidden(command);
    }

    @Override
    public Target target() {
        definition.use();
        String[] words = expanded();
        StdioCommand program = Stdio.command(words);
        if (inheritsEnvironment) {
            program = program.inheritEnvironment();
        }
        Map<String, String> variables = new LinkedHashMap<>(definition.variablesOfFile());
        environment.forEach(
                (name, value) -> variables.put(name, definition.expand("env." + name, value)));
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            program = program.environment(variable.getKey(), variable.getValue());
        }
        if (!directory.isEmpty()) {
            String cwd = definition.expand("cwd", directory);
            Path folder = definition.path("cwd", definition.folder(), cwd);
            if (!Files.isDirectory(folder)) {
                throw definition.wrong("cwd " + JsonValue.of(directory) + " is not a folder");
            }
            program = program.directory(folder);
        }
        return new Target.Program(name(), program);
    }

    private String[] expanded() {
        String[] expanded = new String[command.size()];
        for (int i = 0; i < expanded.length; i++) {
            String member = i == 0 ? "command" : "args[" + (i - 1) + "]";
            expanded[i] = definition.expand(member, command.get(i));
        }
        return expanded;
    }
}
