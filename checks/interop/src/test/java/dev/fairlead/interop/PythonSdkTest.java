package dev.fairlead.interop;

import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

import java.util.List;
import java.util.stream.Stream;

/** The client of the Python SDK drives the showcase: {@code src/test/python/checks.py}. */
@Tag("python")
class PythonSdkTest {
    private static ChildProcess server;

    @BeforeAll
    static void start() throws Exception {
        server = Showcase.overHttp();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @TestFactory
    Stream<DynamicTest> revision20260728IsDiscoveredOverStdio() throws Exception {
        return overStdio("auto");
    }

    @TestFactory
    Stream<DynamicTest> revision20260728IsDiscoveredOverHttp() throws Exception {
        return overHttp("auto");
    }

    @TestFactory
    Stream<DynamicTest> revision20260728IsPinnedOverHttp() throws Exception {
        return overHttp("2026-07-28");
    }

    @TestFactory
    Stream<DynamicTest> handshakeIsChosenOverStdio() throws Exception {
        return overStdio("legacy");
    }

    @TestFactory
    Stream<DynamicTest> handshakeIsChosenOverHttp() throws Exception {
        return overHttp("legacy");
    }

    private static Stream<DynamicTest> overStdio(String mode) throws Exception {
        return checks(mode, "stdio", Showcase.onStdio());
    }

    private static Stream<DynamicTest> overHttp(String mode) throws Exception {
        return checks(mode, "http", List.of(server.url()));
    }

    private static Stream<DynamicTest> checks(String mode, String transport, List<String> target)
            throws Exception {
        return Checks.run(Python.script("checks.py", mode, transport), target);
    }
}
