package dev.fairlead.spring.boot.starter;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.client.HttpConnector;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.stdio.StdioCommand;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

/**
 * The way to one server of {@code fairlead.clients}.
 *
 * @param beans where the customizers are
 */
record ClientConnection(String name, McpClientProperties.Server server, BeanFactory beans) {
    /** Connects; fails, and the application with it, if the server is not there, unless lazy. */
    McpClient open() {
        McpClient.Builder client = McpClient.named(application(), "0");
        configure(client);
        beans.getBeanProvider(McpClientCustomizer.class)
                .orderedStream()
                .forEach(customizer -> customizer.customize(name, client));
        try {
            return client.connect(remote());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while connecting to server " + name, e);
        }
    }

    private void configure(McpClient.Builder client) {
        PropertyChecks checks = checks();
        checks.positive("request-timeout", server.requestTimeout());
        checks.positive("probe-timeout", server.probeTimeout());
        checks.range("max-rounds", server.maxRounds(), Integer.MAX_VALUE);
        DataSize cache = server.maxCacheBytes();
        checks.range("max-cache-bytes", cache == null ? null : cache.toBytes(), 0, Long.MAX_VALUE);
        List<Revision> revisions =
                RevisionDates.read(checks.prefix() + ".revisions", server.revisions());
        PropertyMapper map = PropertyMapper.get();
        map.from(server::requestTimeout).to(client::requestTimeout);
        map.from(server::probeTimeout).to(client::probeTimeout);
        map.from(server::maxRounds).to(client::maxRounds);
        map.from(cache).as(DataSize::toBytes).to(client::maxCacheBytes);
        if (!revisions.isEmpty()) {
            client.revisions(Collections.min(revisions), Collections.max(revisions));
        }
        if (server.acceptTasks()) {
            client.acceptTasks();
        }
        if (server.lazy()) {
            client.lazy();
        }
    }

    private PropertyChecks checks() {
        return new PropertyChecks("fairlead.clients." + name);
    }

    private String application() {
        return beans.getBean(Environment.class)
                .getProperty("spring.application.name", "application");
    }

    private Remote remote() {
        URI url = server.url();
        if ((url == null) == server.command().isEmpty()) {
            throw new InvalidPropertyException(checks().prefix() + " needs either url or command");
        }
        return url == null ? program() : endpoint(url);
    }

    private HttpConnector endpoint(URI url) {
        HttpConnector connector = checks().set("url", () -> Http.to(url));
        for (var header : server.headers().entrySet()) {
            HttpConnector before = connector;
            connector =
                    checks().set(
                                    "headers." + header.getKey(),
                                    () -> before.header(header.getKey(), header.getValue()));
        }
        return server.legacySse() ? connector.legacySse() : connector;
    }

    private StdioCommand program() {
        StdioCommand program = Stdio.command(server.command().toArray(String[]::new));
        if (server.inheritEnvironment()) {
            program = program.inheritEnvironment();
        }
        for (var variable : server.environment().entrySet()) {
            program = program.environment(variable.getKey(), variable.getValue());
        }
        Path directory = server.directory();
        if (directory == null) {
            return program;
        }
        if (!Files.isDirectory(directory)) {
            throw new InvalidPropertyException(
                    checks().prefix() + ".directory must be a directory but was " + directory);
        }
        return program.directory(directory);
    }
}
