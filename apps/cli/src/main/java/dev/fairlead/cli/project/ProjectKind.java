package dev.fairlead.cli.project;

import static dev.fairlead.cli.project.TemplateFile.source;
import static dev.fairlead.cli.project.TemplateFile.test;
import static dev.fairlead.cli.project.TemplateFile.top;

import java.util.List;
import java.util.Locale;

/** The kinds of new projects. */
public enum ProjectKind {
    /** A server whose tools are lambdas. */
    SERVER(
            "com.example.Server",
            List.of(
                    source("server", "Server.java"),
                    test("server", "ServerTest.java"),
                    top("server", "Dockerfile"),
                    top("server", "README.md"))),

    /** A server whose tools are annotated methods. */
    ANNOTATIONS(
            "com.example.Server",
            List.of(
                    source("annotations", "Server.java"),
                    source("annotations", "Tools.java"),
                    test("server", "ServerTest.java"),
                    top("server", "Dockerfile"),
                    top("server", "README.md"))),

    /** A Spring Boot application that is a server. */
    SPRING(
            "com.example.Application",
            List.of(
                    source("spring", "Application.java"),
                    source("spring", "Tools.java"),
                    test("spring", "ApplicationTest.java"),
                    new TemplateFile(
                            "spring/application.properties",
                            "src/main/resources/application.properties"),
                    top("spring", "Dockerfile"),
                    top("spring", "README.md"))),

    /** A client. */
    CLIENT(
            "com.example.Client",
            List.of(
                    source("client", "Client.java"),
                    test("client", "ClientTest.java"),
                    top("client", "README.md")));

    private final String mainClass;
    private final List<TemplateFile> files;

    ProjectKind(String mainClass, List<TemplateFile> files) {
        this.mainClass = mainClass;
        this.files = files;
    }

    String mainClass() {
        return mainClass;
    }

    /** The files that do not depend on the build tool. */
    List<TemplateFile> files() {
        return files;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
