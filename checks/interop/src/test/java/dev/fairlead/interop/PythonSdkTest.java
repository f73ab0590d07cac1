package dev.fairlead.interop;

import dev.fairlead.showcase.Serve;
import dev.fairlead.test.support.ChildJvm;
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
        server =
                ChildProcess.start(
                        ChildJvm.command(Serve.class, "--fixtures", "--http", "127.0.0.1:0"));
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @TestFactory
    Stream<DynamicTest> revision20260728IsDiscoveredOverStdio() throws Exception {
        return checks("auto", "stdio", ChildJvm.command(Serve.class, "--fixtures", "--stdio"));
    }

    @TestFactory
    Stream<DynamicTest> revision20260728IsDiscoveredOverHttp() throws Exception {
        return checks("auto", "http", List.of(server.url()));
    }

    @TestFactory
    Stream<DynamicTest> revision20260728IsPinnedOverHttp() throws Exception {
        return checks("2026-07-28", "http", List.of(server.url()));
    }

    @TestFactory
    Stream<DynamicTest> handshakeIsChosenOverStdio() throws Exception {
        return checks("legacy", "stdio", ChildJvm.command(Serve.class, "--fixtures", "--stdio"));
    }

    @TestFactory
    Stream<DynamicTest> handshakeIsChosenOverHttp() throws Exception {
        return checks("legacy", "http", List.of(server.url()));
    }

    private static Stream<DynamicTest> checks(String mode, String transport, List<String> target)
            throws Exception {
        return Checks.run(Python.script("checks.py", mode, transport), target);
    }
}
