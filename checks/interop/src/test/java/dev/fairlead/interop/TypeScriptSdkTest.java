package dev.fairlead.interop;

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
        server = Showcase.overHttp("--sse");
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @TestFactory
    Stream<DynamicTest> theFirstGenerationOverStdio() throws Exception {
        return overStdio("sdk1");
    }

    @TestFactory
    Stream<DynamicTest> theFirstGenerationOverHttp() throws Exception {
        return overHttp("sdk1");
    }

    @TestFactory
    Stream<DynamicTest> theFirstGenerationOverSse() throws Exception {
        return checks("sdk1", "sse", List.of(server.url().replaceFirst("/mcp$", "/sse")));
    }

    @TestFactory
    Stream<DynamicTest> theSecondGenerationOverStdio() throws Exception {
        return overStdio("sdk2");
    }

    @TestFactory
    Stream<DynamicTest> theSecondGenerationOverHttp() throws Exception {
        return overHttp("sdk2");
    }

    @TestFactory
    Stream<DynamicTest> tasksOfTheFirstGenerationOverStdio() throws Exception {
        return overStdio("tasks-sdk1");
    }

    @TestFactory
    Stream<DynamicTest> tasksOfTheFirstGenerationOverHttp() throws Exception {
        return overHttp("tasks-sdk1");
    }

    @TestFactory
    Stream<DynamicTest> tasksOfTheExtensionOverStdio() throws Exception {
        return overStdio("tasks-ext");
    }

    @TestFactory
    Stream<DynamicTest> tasksOfTheExtensionOverHttp() throws Exception {
        return overHttp("tasks-ext");
    }

    @TestFactory
    Stream<DynamicTest> revision20260728IsDiscoveredOverStdio() throws Exception {
        return overStdio("sdk2-auto");
    }

    @TestFactory
    Stream<DynamicTest> revision20260728IsDiscoveredOverHttp() throws Exception {
        return overHttp("sdk2-auto");
    }

    @TestFactory
    Stream<DynamicTest> revision20260728IsPinnedOverStdio() throws Exception {
        return overStdio("sdk2-pinned");
    }

    @TestFactory
    Stream<DynamicTest> revision20260728IsPinnedOverHttp() throws Exception {
        return overHttp("sdk2-pinned");
    }

    @TestFactory
    Stream<DynamicTest> handshakeIsTheFallbackOverStdio() throws Exception {
        return overStdio("sdk2-fallback", "--newest", "2025-11-25");
    }

    @TestFactory
    Stream<DynamicTest> handshakeIsTheFallbackOverHttp() throws Exception {
        try (ChildProcess older = Showcase.overHttp("--newest", "2025-11-25")) {
            return checks("sdk2-fallback", "http", List.of(older.url()));
        }
    }

    @TestFactory
    Stream<DynamicTest> tasksOfRevision20260728OverStdio() throws Exception {
        return overStdio("tasks-extension");
    }

    @TestFactory
    Stream<DynamicTest> tasksOfRevision20260728OverHttp() throws Exception {
        return overHttp("tasks-extension");
    }

    private static Stream<DynamicTest> overStdio(String peer, String... options) throws Exception {
        return checks(peer, "stdio", Showcase.onStdio(options));
    }

    private static Stream<DynamicTest> overHttp(String peer) throws Exception {
        return checks(peer, "http", List.of(server.url()));
    }

    private static Stream<DynamicTest> checks(String peer, String transport, List<String> target)
            throws Exception {
        return Checks.run(Npm.script("run.mjs", peer, transport), target);
    }
}
