package dev.fairlead.cli.hosts;

import dev.fairlead.cli.servers.Environment;
import dev.fairlead.cli.servers.ServerEntry;
import dev.fairlead.cli.servers.ServersFile;
import dev.fairlead.cli.servers.TargetException;
import dev.fairlead.cli.servers.Targets;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The servers in the files of hosts, whose names are {@code HOST:NAME} here. */
public final class HostServers {
    private final Platform platform;
    private final Environment environment;

    public HostServers(Platform platform, Environment environment) {
        this.platform = platform;
        this.environment = environment;
    }

    /**
     * The servers that a user can name: those of hosts too.
     *
     * @param serversFile the one that the user names; null where he names none
     */
    public static Targets targets(@Nullable Path serversFile, Environment environment) {
        return new Targets(
                serversFile, environment, new HostServers(Platform.current(), environment)::find);
    }

    /** The files of all hosts that exist: that of the project first, then that of the user. */
    public List<HostFile> files() {
        return Stream.of(Host.values()).flatMap(host -> files(host).stream()).toList();
    }

    private List<HostFile> files(Host host) {
        List<HostFile> files = new ArrayList<>();
        HostFile.ofProject(host, environment).ifPresent(files::add);
        files.add(HostFile.ofUser(host, platform, environment));
        return files.stream().filter(HostFile::exists).toList();
    }

    /**
     * Finds a server by its name.
     *
     * @param name such as {@code cursor:weather}
     * @return empty if it does not begin with the name of a host
     * @throws TargetException if that host has no such server, or its file cannot be read
     */
    public Optional<ServerEntry> find(String name) {
        int colon = name.indexOf(':');
        Optional<Host> host = colon < 0 ? Optional.empty() : Host.of(name.substring(0, colon));
        return host.map(found -> find(found, name.substring(colon + 1)));
    }

    private ServerEntry find(Host host, String name) {
        List<ServersFile> files =
                files(host).stream()
                        .map(file -> file.servers(environment))
                        .flatMap(Optional::stream)
                        .toList();
        return files.stream()
                .filter(file -> file.names().contains(name))
                .findFirst()
                .map(file -> file.entry(name))
                .orElseThrow(
                        () ->
                                new TargetException(
                                        host.title() + " has no server " + name + known(files)));
    }

    private static String known(List<ServersFile> files) {
        String names =
                files.stream()
                        .flatMap(file -> file.names().stream())
                        .collect(Collectors.joining(", "));
        return names.isEmpty() ? ", and no other" : "; it has " + names;
    }
}
