package dev.fairlead.architecture;

import com.tngtech.archunit.core.domain.JavaClass;

import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The modules of the project and the modules that each may depend on: {@code docs/architecture.md}
 * §2.
 */
enum Module {
    REQUIREMENTS("requirements"),
    TEST_SUPPORT("test.support"),
    JSON("json"),
    JSONRPC("jsonrpc", JSON),
    PROTOCOL("protocol", JSONRPC),
    TASKS("tasks", PROTOCOL),
    JDBC("jdbc", TASKS),
    PEER("peer", TASKS),
    SERVER("server", PEER),
    CLIENT("client", PEER),
    STDIO("stdio", PROTOCOL),
    HTTP("http", PROTOCOL),
    HTTP_LEGACY("http.legacy", HTTP),
    HTTP_LOOP("http.loop", HTTP),
    HTTP_JETTY("http.jetty", HTTP),
    AUTH("auth", HTTP),
    CONSOLE("console", CLIENT, HTTP),
    SERVLET("servlet", SERVER, HTTP),
    SPRING_BOOT_STARTER("spring.boot.starter", CLIENT, STDIO, SERVLET, AUTH, CONSOLE),
    TESTING("testing", CLIENT, SERVER, REQUIREMENTS),
    OPENTELEMETRY("opentelemetry", HTTP),
    GATEWAY("gateway", SERVER, CLIENT),
    PROCESSOR("processor", SERVER),
    EXAMPLES("examples", SERVER, CLIENT, STDIO, HTTP, HTTP_JETTY, OPENTELEMETRY, TESTING),
    CLI("cli", SERVER, CLIENT, STDIO, HTTP, HTTP_JETTY, GATEWAY, AUTH, CONSOLE),
    SHOWCASE("showcase", SERVER, CLIENT, STDIO, HTTP, HTTP_JETTY, JDBC, AUTH, CONSOLE),
    BENCHMARKS("benchmarks", SERVER, CLIENT, STDIO, HTTP, HTTP_JETTY, CONSOLE, JDBC, TESTING);

    static final List<Module> APPLICATIONS = List.of(EXAMPLES, CLI, SHOWCASE, BENCHMARKS);

    private final String packageName;
    private final List<Module> named;

    Module(String name, Module... named) {
        this.packageName = "dev.fairlead." + name;
        this.named = List.of(named);
    }

    /** The root package of the module. */
    String packageName() {
        return packageName;
    }

    /** The modules above this one: those that it names, and those above them. */
    Set<Module> mayKnow() {
        EnumSet<Module> known = EnumSet.of(this);
        for (Module module : named) {
            known.addAll(module.mayKnow());
        }
        return known;
    }

    /** The module that a class belongs to; the longest package wins. */
    static Optional<Module> of(JavaClass type) {
        return Stream.of(values())
                .filter(
                        module ->
                                (type.getPackageName() + ".").startsWith(module.packageName + "."))
                .max(Comparator.comparingInt(module -> module.packageName.length()));
    }
}
