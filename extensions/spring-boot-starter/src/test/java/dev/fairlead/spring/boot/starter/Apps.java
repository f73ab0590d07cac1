package dev.fairlead.spring.boot.starter;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Starts applications as their {@code main} would. */
final class Apps {
    private Apps() {}

    static ConfigurableApplicationContext web(Class<?> configuration, String... properties) {
        return start(WebApplicationType.SERVLET, configuration, properties);
    }

    static ConfigurableApplicationContext plain(Class<?> configuration, String... properties) {
        return start(WebApplicationType.NONE, configuration, properties);
    }

    private static ConfigurableApplicationContext start(
            WebApplicationType type, Class<?> configuration, String... properties) {
        SpringApplication application = new SpringApplication(configuration);
        application.setWebApplicationType(type);
        application.setRegisterShutdownHook(false);
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--server.port=0",
                                "--server.address=127.0.0.1",
                                "--spring.main.banner-mode=off",
                                "--spring.application.name=demo"));
        Arrays.stream(properties).map(property -> "--" + property).forEach(arguments::add);
        return application.run(arguments.toArray(String[]::new));
    }

    /** Returns the URL of an application. */
    static String url(ConfigurableApplicationContext application, String path) {
        int port = ((ServletWebServerApplicationContext) application).getWebServer().getPort();
        return "http://127.0.0.1:" + port + path;
    }
}
