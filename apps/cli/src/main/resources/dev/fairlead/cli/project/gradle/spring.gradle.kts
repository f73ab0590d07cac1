plugins {
    java
    id("org.springframework.boot") version "{{springBoot}}"
}

repositories {
    mavenLocal()
    mavenCentral()
}

val fairleadVersion = "{{fairlead}}"

dependencies {
    implementation(platform(org.springframework.boot.gradle.plugin.SpringBootPlugin.BOM_COORDINATES))
    implementation("dev.fairlead:fairlead-spring-boot-starter:$fairleadVersion")
    implementation("org.springframework.boot:spring-boot-starter-webmvc")
    annotationProcessor("dev.fairlead:fairlead-processor:$fairleadVersion")
    testImplementation("org.springframework.boot:spring-boot-starter-test")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher")
}

tasks.withType<JavaCompile>().configureEach {
    options.release = 21 // with any JDK from 21 on, the one that runs Gradle
    options.encoding = "UTF-8"
    options.compilerArgs.add("-parameters")
}

tasks.test {
    useJUnitPlatform()
}

tasks.bootJar {
    archiveFileName = "{{name}}.jar"
}
