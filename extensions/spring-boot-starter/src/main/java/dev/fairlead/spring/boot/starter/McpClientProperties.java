package dev.fairlead.spring.boot.starter;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The servers that the application is a client of.
 *
 * @param clients by name; the client of each is a bean of that name
 */
@ConfigurationProperties("fairlead")
record McpClientProperties(@DefaultValue Map<String, Server> clients) {
    /**
     * A server, at a URL or as a program: one of both.
     *
     * @param url address of its endpoint
     * @param headers sent with each request
     * @param legacySse whether it speaks HTTP+SSE of revision 2024-11-05
     * @param command program and arguments
     * @param environment variables for the program
     * @param inheritEnvironment whether the program gets all variables of the application
     * @param directory in which the program runs
     * @param requestTimeout how long a request may take
     * @param lazy whether to connect with the first request, not when the application starts
     * @param revisions the revisions of the protocol to speak, by date: the oldest and the newest,
     *     or one
     * @param probeTimeout how long a program may take to answer {@code server/discover} before it
     *     is greeted by {@code initialize}
     * @param maxRounds how often the server may ask for input before a call ends
     * @param maxCacheBytes the size of results that are kept as the server allows; 0 for none
     * @param acceptTasks whether the server may make a task of any call of a tool
     */
    record Server(
            @Nullable URI url,
            @DefaultValue Map<String, String> headers,
            @DefaultValue("false") boolean legacySse,
            @DefaultValue List<String> command,
            @DefaultValue Map<String, String> environment,
            @DefaultValue("false") boolean inheritEnvironment,
            @Nullable Path directory,
            @Nullable Duration requestTimeout,
            @DefaultValue("false") boolean lazy,
            @DefaultValue List<String> revisions,
            @Nullable Duration probeTimeout,
            @Nullable Integer maxRounds,
            @Nullable DataSize maxCacheBytes,
            @DefaultValue("false") boolean acceptTasks) {}
}
