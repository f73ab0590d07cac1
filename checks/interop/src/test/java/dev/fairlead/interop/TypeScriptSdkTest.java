package dev.fairlead.interop;

import dev.fairlead.showcase.Serve;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.util.List;
import java.util.stream.Stream;

/**
 * The client of the TypeScript SDK, of both generations, drives the showcase: {@code
 * src/test/js/checks.mjs} in the handshake revisions, {@code per-request.mjs} in revision
 * 2026-07-28, and those for tasks that each peer has of its own.
 */
class TypeScriptSdkTest {
    private static ChildProcess server;

    @BeforeAll
    static void start() throws Exception {
        server =
                ChildProcess.start(
                        ChildJvm.command(
                                Serve.class, "--fixtures", "--http", "127.0.0.1:0", "--sse"));
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @TestFactory
    Stream<DynamicTest> theFirstGenerationOverStdio() throws Exception {
        return checks("sdk1", "stdio", ChildJvm.command(Serve.class, "--fixtures", "--stdio"));
    }

    @TestFactory
    Stream<DynamicTest> theFirstGenerationOverHttp() throws Exception {
        return checks("sdk1", "http", List.of(server.url()));
    }

    @TestFactory
    Stream<DynamicTest> theFirstGenerationOverSse() throws Exception {
        return checks("sdk1", "sse", List.of(server.url().replaceFirst("/mcp$", "/sse")));
    }

    @TestFactory
    Stream<DynamicTest> theSecondGenerationOverStdio() throws Exception {
        return checks("sdk2", "stdio", ChildJvm.command(Serve.class, "--fixtures", "--stdio"));
    }

    @TestFactory
    Stream<DynamicTest> theSecondGenerationOverHttp() throws Exception {
        return checks("sdk2", "http", List.of(server.url()));
    }

    @TestFactory
    Stream<DynamicTest> tasksOfTheFirstGenerationOverStdio() throws Exception {
        return checks(
                "tasks-sdk1", "stdio", ChildJvm.command(Serve.class, "--fixtures", "--stdio"));
    }

    @TestFactory
    Stream<DynamicTest> tasksOfTheFirstGenerationOverHttp() throws Exception {
        return checks("tasks-sdk1", "http", List.of(server.url()));
    }

    @TestFactory
    Stream<DynamicTest> tasksOfTheExtensionOverStdio() throws Exception {
        return checks("tasks-ext", "stdio", ChildJvm.command(Serve.class, "--fixtures", "--stdio"));
    }

    @TestFactory
    Stream<DynamicTest> tasksOfTheExtensionOverHttp() throws Exception {
        return checks("tasks-ext", "http", List.of(server.url()));
    }

    @TestFactory
    Stream<DynamicTest> revision20260728IsDiscoveredOverStdio() throws Exception {
        return checks("sdk2-auto", "stdio", ChildJvm.command(Serve.class, "--fixtures", "--stdio"));
    }

    @TestFactory
    Stream<DynamicTest> revision20260728IsDiscoveredOverHttp() throws Exception {
        return checks("sdk2-auto", "http", List.of(server.url()));
    }

    @TestFactory
    Stream<DynamicTest> revision20260728IsPinnedOverStdio() throws Exception {
        return checks(
                "sdk2-pinned", "stdio", ChildJvm.command(Serve.class, "--fixtures", "--stdio"));
    }

    @TestFactory
    Stream<DynamicTest> revision20260728IsPinnedOverHttp() throws Exception {
        return checks("sdk2-pinned", "http", List.of(server.url()));
    }

    @TestFactory
    Stream<DynamicTest> handshakeIsTheFallbackOverStdio() throws Exception {
        return checks(
                "sdk2-fallback",
                "stdio",
                ChildJvm.command(Serve.class, "--fixtures", "--stdio", "--newest", "2025-11-25"));
    }

    @TestFactory
    Stream<DynamicTest> handshakeIsTheFallbackOverHttp() throws Exception {
        try (ChildProcess older =
                ChildProcess.start(
                        ChildJvm.command(
                                Serve.class,
                                "--fixtures",
                                "--http",
                                "127.0.0.1:0",
                                "--newest",
                                "2025-11-25"))) {
            return checks("sdk2-fallback", "http", List.of(older.url()));
        }
    }

    @TestFactory
    Stream<DynamicTest> tasksOfRevision20260728OverStdio() throws Exception {
        return checks(
                "tasks-extension", "stdio", ChildJvm.command(Serve.class, "--fixtures", "--stdio"));
    }

    @TestFactory
    Stream<DynamicTest> tasksOfRevision20260728OverHttp() throws Exception {
        return checks("tasks-extension", "http", List.of(server.url()));
    }

    private static Stream<DynamicTest> checks(String peer, String transport, List<String> target)
            throws Exception {
        return Checks.run(Npm.script("run.mjs", peer, transport), target);
    }
}
